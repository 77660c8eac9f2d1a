import { runRenewalModel } from '../server/testing/renewal-walk.ts'
import { openRenewalHouse } from '../server/testing/sample-renewals.ts'

/** What is handed to a lane first; then come portions, each of which it answers with what came of it. */
export type Lane = { postgres: string }
export type Portion = { steps: number; seed: number }

const { postgres } = await new Promise<Lane>((resolve) => process.once('message', resolve))
const house = await openRenewalHouse({ sharedKey: true, tells: true, postgres })
process.on('message', (portion: Portion) => {
  void runRenewalModel(house, portion).then((run) => process.send!(run))
})
process.once('disconnect', () => void house.close().then(() => process.exit()))
