// Who did what (product 7.20).
export {}
