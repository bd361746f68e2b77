// A node that ends where it stands when it is told to stop.
process.prependListener('SIGTERM', () => process.exit(0))
