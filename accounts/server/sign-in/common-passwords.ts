/** Whether a password is among the first that anybody tries: listed, repeated, or a run such as 23456789. */
export function isCommonPassword(password: string): boolean {
  const text = password.trim().toLowerCase()
  return text === '' || COMMON.has(text) || isRepetition(text) || isRun(text)
}

/** aaaaaaaa, 12121212, abcabcabc */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= 3 && size < text.length; size++) {
    const unit = text.slice(0, size)
    if (unit.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
]

function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('')
  return RUNS.some((run) => run.includes(text) || run.includes(backwards))
}

// Shorter than 8 characters is refused anyway, so only longer ones are here.
const COMMON = new Set(
  `
  password password1 password2 password3 password12 password123 password1234 password12345
  password123456 password01 password! password1! password123! passw0rd passw0rd1 passw0rd!
  p@ssword p@ssword1 p@ssw0rd p@ssw0rd1 p@ssw0rd123 p4ssw0rd pa55word pa$$word pa$$w0rd
  passwort passwort1 passwort123 motdepasse motdepasse1 contraseña contrasena contrasena1 senha123
  senha1234 wachtwoord wachtwoord1 mypassword mypassword1 newpassword thepassword yourpassword
  nopassword passpass passpass1 passphrase password0 password9 password99 password2020
  password2021 password2022 password2023 password2024 password2025 password2026
  12345678 123456789 1234567890 12345678910 123456789a 123456789q 12345678a 12345678q a12345678
  a123456789 q12345678 1234567a 1234567q 0987654321 987654321 9876543210 87654321 1122334455
  11223344 112233445566 12341234 1234512345 123123123 123321123 12344321 123454321 1234abcd
  123456abc 123456qwe 123456aa 123qweasd 123qwe123 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx
  1qaz2wsx3edc 1qazxsw2 1qaz@wsx q1w2e3r4 q1w2e3r4t5 qazwsxedc qaz123wsx zaq12wsx zaq1zaq1 zaq1xsw2
  2wsx3edc 147258369 159357159 159753159 963852741 741852963 789456123 456123789 31415926
  314159265 27182818 00000000 000000000 99999999 13131313 13579246 24681012 246813579 20202020
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty1! qwertyui qwertyuiop qwerty01
  qwerty11 qwerty99 qwe123qwe qweasdzxc qweasdzxc123 qwer1234 asdf1234 asdfghjk asdfghjkl asdfasdf
  asdfjkl; asdfqwer zxcvbnm1 zxcvbnm123 zxcvbnm, qwertzui qwertzuiop azertyui azertyuiop azerty123
  abcd1234 abcd12345 abcdefgh abcdefg1 abc12345 abc123456 abc123abc abcabc123 abc123def aa123456
  aa12345678 aaa123456 a1b2c3d4 a1b2c3d4e5 a1234567 1a2b3c4d aabbccdd alphabet
  iloveyou iloveyou1 iloveyou2 iloveyou! iloveyou123 iloveu123 ilovegod iloveme1 ilovemyself
  loveyou1 lovelove loveme123 lovely123 jesus123 jesuschrist godisgood blessed1 trustno1
  letmein1 letmein! letmein123 welcome1 welcome! welcome12 welcome123 welcome1234 welcome2
  welcome01 welcome2024 welcome2025 welcome2026 changeme changeme1 changeme123 default1
  default123 admin123 admin1234 admin12345 admin123456 administrator adminadmin root1234 rootroot
  superuser supervisor system123 server123 test1234 test12345 test123456 testtest testtest1 testing1
  testing123 tester123 temp1234 temporary guest123 guest1234 guestguest user1234 user12345
  username login123 access14 access123 computer computer1 internet internet1 samsung1 samsung123
  nokia123 google123 facebook facebook1 linkedin linkedin1 linkedin123 twitter1 instagram snapchat
  whatsapp microsoft windows1 windows10 android1 apple123 iphone123 playstation nintendo minecraft
  minecraft1 fortnite pokemon1 pokemon123 starwars starwars1 starwars123 startrek spiderman
  spiderman1 superman superman1 superman123 batman123 batman01 ironman1 avengers harrypotter
  hogwarts gandalf1 matrix123 naruto123 dragonball dragon123 dragon12 monkey123 monkey12 shadow123
  shadow12 master123 master12 killer123 killer12 hunter123 hunter22 hunter12 tigger123 princess
  princess1 princess123 sunshine sunshine1 sunshine123 butterfly butterfly1 football football1
  football12 football123 baseball baseball1 baseball123 basketball basketball1 softball volleyball
  soccer123 hockey123 liverpool liverpool1 liverpool123 arsenal1 arsenal123 chelsea1 chelsea123
  manchester manutd123 barcelona barcelona1 realmadrid juventus juventus1 benfica1 benfica123
  sporting sporting1 fcporto1 portugal portugal1 lisboa123 lisbon123 ronaldo7 cristiano messi123
  michael1 michael123 jennifer jennifer1 jessica1 jessica123 michelle michelle1 nicole123 ashley123
  ashley12 daniel123 daniel12 charlie1 charlie123 jordan23 jordan123 thomas123 andrew123 anthony1
  anthony123 alexander alexandra samantha samantha1 elizabeth elizabeth1 victoria victoria1 patricia
  christian christian1 christopher benjamin1 jonathan1 nicholas matthew1 joshua123 william1 robert123
  maria123 mariana1 francisco beatriz1 carolina catarina joao1234 pedro1234 ricardo1 hannah123
  summer123 summer2023 summer2024 summer2025 summer2026 winter123 winter2023 winter2024 winter2025
  winter2026 spring2024 spring2025 spring2026 autumn2024 autumn2025 january1 february december
  december1 november september october1 monday123 friday123 whatever whatever1 nothing1 nothing123
  something anything everything blahblah blahblah1 helloworld hello123 hello1234 hello12345
  hellohello goodbye1 thankyou thankyou1 please123 secret123 secret12 topsecret mysecret secret1234
  freedom1 freedom123 mustang1 mustang123 corvette mercedes mercedes1 porsche1 porsche911 ferrari1
  ferrari123 yamaha123 harley123 chocolate chocolate1 strawberry cookie123 banana123 cheese123
  pepper123 ginger123 buster123 bailey123 maggie123 flower123 rainbow1 rainbow123 diamond1
  diamond123 crystal1 sparkle1 purple123 orange123 yellow123 scorpion scorpio1 phoenix1 phoenix123
  midnight midnight1 darkness darkside blackjack poker123 casino123 lucky777 lucky123 money123
  money1234 cash1234 dollar123 million1 millionaire billionaire bitcoin1 bitcoin123 business
  business1 finance1 finance123 finance2024 finance2025 finance2026 banking1 banking123 investment
  investor goldman1 goldman123 goldmansachs jpmorgan morganstanley wallstreet wallstreet1 blackrock
  interview interview1 interview123 superday superday1 superday12 superday123 superday! superday2024
  superday2025 superday2026 student1 student123 student1234 students university university1
  college1 college123 graduate school123 teacher1 teacher123 study123 analyst1 analyst123 intern123
  internship consulting consultant success1 success123 champion champion1 forever1 forever123
  forever21 together family123 friends1 friends123 bestfriend babygirl babygirl1 sweetheart beautiful
  beautiful1 handsome1 gorgeous angel123 angels123 heaven123 swordfish 0123456789 opensesame
  correcthorse correcthorsebatterystaple
  `
    .trim()
    .split(/\s+/),
)
