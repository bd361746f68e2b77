/**
 * What is no act of the day: shown to those alone who read the log (product 7.7.4). What is done for
 * candidates is told to all who watch, so that two people do not give the same minutes twice.
 */
const OF_THE_LOG =
  /question|picture|import|export|^(create|copy|load|publish|take-back|settings|add-candidates|change-letter|results|dossier|regrade|ask-to-delete|keep|delete|delete-demo|read-keys|check-keys|simulate|stop-simulation)$|key-check|rul|release|result|verdict/

export const isOfTheDay = (action: string): boolean => !OF_THE_LOG.test(action)
