// Time, messages, strikes: what organisers do while candidates write (product 7.15).
export {}
