import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

export interface Certificate {
  key: string
  cert: string
  /** the certificate's file; it is its own authority */
  file: string
}

const DAY_MS = 86_400_000

/**
 * A certificate for `name` that is good from a year before `ends`. `openssl req` makes none that has ended,
 * `openssl ca` does.
 */
export function makeCertificate(folder: string, name: string, ends: Date): Certificate {
  const home = path.join(folder, `${name}-${ends.getTime()}`)
  mkdirSync(home)
  writeFileSync(path.join(home, 'index.txt'), '')
  writeFileSync(
    path.join(home, 'ca.cnf'),
    `[ca]
default_ca=ours
[ours]
database=index.txt
new_certs_dir=.
default_md=sha256
policy=any
copy_extensions=copy
rand_serial=yes
[any]
commonName=supplied
organizationName=supplied
`,
  )
  const run = (args: string) =>
    execFileSync('openssl', args.split(' '), { cwd: home, stdio: 'pipe' })
  // An organization of its own: of one name, none of them would be found as its own authority.
  run(
    `req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request.pem -subj /O=${path.basename(home)}/CN=${name} -addext subjectAltName=DNS:${name}`,
  )
  const starts = new Date(ends.getTime() - 365 * DAY_MS)
  run(
    `ca -batch -notext -config ca.cnf -selfsign -keyfile key.pem -in request.pem -out cert.pem -startdate ${stamp(starts)} -enddate ${stamp(ends)}`,
  )
  const read = (file: string) => readFileSync(path.join(home, file), 'utf8')
  return { key: read('key.pem'), cert: read('cert.pem'), file: path.join(home, 'cert.pem') }
}

const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
