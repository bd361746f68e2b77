/** The person, or the browser for them, said no. */
export class NoPermission extends Error {}

/** Whether this browser can be notified at all: it needs the worker that also serves it offline. */
export async function canPush(): Promise<boolean> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return false
  }
  return (await navigator.serviceWorker.getRegistration()) !== undefined
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
