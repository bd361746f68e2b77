import v8 from 'node:v8'
import vm from 'node:vm'

// Loaded before the server: SIGUSR2 triggers garbage collection.
v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
process.on('SIGUSR2', () => collect())
