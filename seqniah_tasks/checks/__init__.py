"""What `seqniah doctor` looks at: what is installed, what is kept, what lies around it."""
