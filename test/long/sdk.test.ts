import { test } from 'node:test'
import { payThroughFaults } from '../../packages/node/test/charges.ts'
import { openShop } from '../shop.ts'

const COUNT = Number(process.env.COUNT ?? 1000)

test(`the SDK charges ${COUNT} payments once each, through a network that loses half of everything`, async () => {
  await payThroughFaults(await openShop(), COUNT, Number(process.env.SEED ?? 1))
})
