"""What the tasks are made of, one file a benchmark."""
