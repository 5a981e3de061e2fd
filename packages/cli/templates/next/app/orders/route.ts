import { answer } from '../../answers'
import { createOrder } from '../../shop.js'

export const POST = (request: Request) => answer(async () => createOrder(await request.json()))
