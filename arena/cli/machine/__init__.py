"""What `arena doctor` and `arena cache` find out about this machine."""
