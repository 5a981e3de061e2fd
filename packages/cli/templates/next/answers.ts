import { NotFoundError } from '@switchyard/node'
import { Refused } from './shop.js'

/** What a route answers: JSON, also of what is refused. */
export async function answer(work: () => Promise<unknown>): Promise<Response> {
  try {
    return Response.json(await work())
  } catch (error) {
    if (error instanceof Refused) return Response.json({ error: error.message }, { status: 400 })
    if (error instanceof SyntaxError) return Response.json({ error: 'The body must be JSON' }, { status: 400 })
    if (error instanceof NotFoundError) return Response.json({ error: 'There is no such order' }, { status: 404 })
    console.error(error)
    return Response.json({ error: 'Something went wrong in the shop' }, { status: 500 })
  }
}
