"""Training one's own judge: settings, data, the trainer, and accuracy at the end of each epoch.

Nothing here imports torch before a training begins; it comes with the extra `train`.
"""
