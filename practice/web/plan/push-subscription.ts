/** The person, or the browser for them, said no. */
export class NoPermission extends Error {}

/**
 * Whether this browser is subscribed; null where it cannot be. It needs the worker that also serves it offline,
 * and waits for it: without one the answer never comes.
 */
export async function isSubscribed(): Promise<boolean | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return null
  }
  const { pushManager } = await navigator.serviceWorker.ready
  return (await pushManager.getSubscription()) !== null
}

/**
 * Asks for permission, which browsers allow only from a press, and subscribes.
 * @param key the product's, base64url
 * Errors: NoPermission.
 */
export async function subscribe(key: string) {
  if ((await Notification.requestPermission()) !== 'granted') throw new NoPermission()
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => {
      throw new NoPermission()
    })
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  }
}
