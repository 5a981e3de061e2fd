import { answer } from '../../../answers'
import { findOrder } from '../../../shop.js'

export const GET = (_request: Request, { params }: { params: Promise<{ id: string }> }) => answer(async () => findOrder((await params).id))
