// A node whose idle connections end after 20 ms, long before the proxy's: it sends on one that is just closed.
import http from 'node:http'

const listen = http.Server.prototype.listen
http.Server.prototype.listen = function listenAndCloseEarly(...args) {
  this.keepAliveTimeout = 20
  return listen.apply(this, args)
}
