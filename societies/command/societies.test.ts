import { expect, it } from 'vitest'
import { makeAssessment } from '../../tests/rig/assessment-rig.ts'
import { useMail } from '../../tests/rig/auth-smtp.ts'
import { typeAt } from '../../tests/rig/organizer-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { makeMember } from '../../tests/rig/society-rig.ts'

const rig = useRig()
const mail = useMail(rig)
const type = (...args: string[]) => typeAt(rig, 'societies', ...args)

it('the command creates a society and prints the link when mail is off; accepting it makes the owner', async () => {
  expect((await type('list')).out).toMatch(/^There are no societies yet\./)
  const { out } = await type('create', 'Finance Club', '--owner', ' Ana@Example.com')
  const link = /^http.*$/m.exec(out)?.[0] ?? ''
  expect(out).toMatch(/^ana@example.com is invited to Finance Club\. No SMTP_URL is set/)
  const ana = await signUp(rig, 'ana@example.com')
  const accepted = await rig.call('POST', '/api/invitations/accept', {
    token: ana.token,
    body: { token: link.split('#')[1] },
  })
  expect(accepted.body.name).toBe('Finance Club')
  const { code } = await makeAssessment(rig, { society: 'finance club' })
  await makeMember(rig, accepted.body.id, (await signUp(rig, 'ben@example.com')).userId, 'author', {
    assessment: code,
  })
  expect((await type('list')).out).toBe('Finance Club: ana@example.com; 1 assessment, 2 members\n')
  // No mail is sent as well, because a second link would end the first.
  expect(await mail.queue.runOnce()).toBe(0)
  const rows = await rig.sql`
    select action from admin_actions where user_id is null and society_id = ${accepted.body.id} order by id`
  expect(rows.map(({ action }) => action)).toEqual(['make-society', 'invite'])
})

it('the command invites by mail when mail is on', async () => {
  rig.sendsMail = true
  const { out } = await type('invite', 'finance club', 'cyd@example.com', '--role', 'Owner')
  rig.sendsMail = false
  expect(out).toBe(
    'cyd@example.com is invited to finance club; the running server sends the mail.\n',
  )
  expect(await mail.queue.runOnce()).toBe(1)
  expect(mail.smtp.received[0]?.text).toMatch(/^http:\/\/localhost:3000\/organise\/invitations#/m)
})

it.each([
  [['create', 'Finance club', '--owner', 'a@example.com'], /^Another society has the name/],
  [['create', 'Other', '--owner', 'nobody'], /\bnobody\b/],
  [
    ['invite', 'Nowhere', 'a@example.com', '--role', 'owner'],
    /^There is no society Nowhere\. There are: Finance Club\.$/,
  ],
])('%j is refused with a sentence and creates nothing', async (args, sentence) => {
  expect((await type(...args)).refusal).toMatch(sentence)
  expect((await rig.sql`select from societies`).length).toBe(1)
})
