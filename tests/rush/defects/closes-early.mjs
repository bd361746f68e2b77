// This node closes idle connections after 20 ms, long before the proxy, which then uses a closed one.
import http from 'node:http'

const listen = http.Server.prototype.listen
http.Server.prototype.listen = function listenAndCloseEarly(...args) {
  this.keepAliveTimeout = 20
  return listen.apply(this, args)
}
