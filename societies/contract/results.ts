// Results, the line, names and release (product 7.17).
export {}
