// A node that ends immediately when it is told to stop.
process.prependListener('SIGTERM', () => process.exit(0))
