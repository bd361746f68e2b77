/** Why one would. */
export const INSTALL_HINT = 'Installed, it opens like any other app: on the bus, on a plane.'
/** iPhone and iPad. */
export const APPLE_HINT =
  'Put it on your Home Screen: in Safari tap Share, then “Add to Home Screen”.'
