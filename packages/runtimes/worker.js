import { answer } from './shop.js'

export default { fetch: answer }
