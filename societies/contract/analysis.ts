// What the test is worth, question by question, and rulings (product 7.18).
export {}
