"""Training: engines that get stronger by playing."""
