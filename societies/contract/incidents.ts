// Incidents, their verdicts, and one candidate on a page (product 7.16).
export {}
