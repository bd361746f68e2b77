/** How many simulated candidates play, and for how long (product 7.11.9). */
export const CROWD = { least: 10, most: 100 } as const
export const CROWD_MINUTES = { least: 1, most: 15, usual: 5 } as const

/**
 * Why a simulation is over. yielded: somebody's real test came near; lost: its node went away, or could not go on.
 */
export const SIMULATION_ENDINGS = ['played', 'stopped', 'yielded', 'lost'] as const
export type SimulationEnding = (typeof SIMULATION_ENDINGS)[number]
