// The day: who is inside, and who needs somebody (product 7.14).
export {}
