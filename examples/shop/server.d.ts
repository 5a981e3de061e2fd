/** Opens the shop of this folder. `port`: one that is free, unless said. */
export function openShop(settings: { switchyard: string; key: string; publishableKey: string; port?: number }): Promise<{
  address: string
  close(): Promise<void>
}>

/** Is a webhook signed by this secret, and of the last five minutes? */
export function isSigned(headers: Record<string, string | string[] | undefined>, body: string, secret: string, now?: number): boolean
