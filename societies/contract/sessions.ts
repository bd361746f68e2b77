// Two forms, two sessions, and pairs of answers (product 7.19).
export {}
