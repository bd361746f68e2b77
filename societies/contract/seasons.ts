// How long a season is kept, and its fairness card (product 7.21).
export {}
