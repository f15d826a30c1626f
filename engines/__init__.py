"""The engines that come with the arena, one page each."""
