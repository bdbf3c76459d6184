/**
 * Given names that are used for one another, each line one name with its everyday forms, accents folded. Written by
 * hand from common knowledge of English, Spanish, French and Haitian usage; a form may be in several lines.
 */
const lines = `
abigail abby abbie gail
adriana adri
alberto beto al
alejandro alex ale jandro
alejandra alex ale sandra
alexander alex al alec sandy sasha xander
alexandra alex alexa sandra sandy sasha lexi
alfonso poncho alfie
alfred al fred alfie
amanda mandy
andrea andy
andrew andy drew
andres andy
angela angie
antoine toto
anthony tony
antonio tony tono toni
arthur art artie
barbara barb barbie
beatriz bea betty
benjamin ben benny benji
bernard bernie
beverly bev
bradley brad
calvin cal
cameron cam
carlos charlie carlitos
carolina caro
caroline carol carrie
catherine cathy kathy kate katie cat
catalina cata lina
charles charlie chuck chas chaz
christian chris
christina chris christy tina chrissy
christine chris christy tina chrissy
christopher chris topher kit
clifford cliff
concepcion concha conchita
consuelo chelo
cynthia cindy
daniel dan danny dani
daniela dani
david dave davey
deborah deb debbie debra
dennis denny
dolores lola
donald don donnie
dorothy dot dottie dolly
eduardo eddie lalo edu
edward ed eddie ted teddy ned
eleanor ellie nora nell
elizabeth liz lizzie beth betsy betty eliza libby lisa elsie
enrique quique kike henry
ernesto neto ernie
eugene gene
evelyn evie
fernando nando fer
florence flo
frances fran franny frankie
francis frank fran frankie
francisca paca paquita
francisco paco pancho kiko frank cisco
franklin frank
frederick fred freddy fritz rick
gabriel gabe gabi
gabriela gabi gaby
gerald jerry gerry
gerardo jerry lalo
gilbert gil bert
gloria glo
graciela chela
gregory greg
guadalupe lupe lupita
guillermo memo billy
gustavo gus tavo
harold hal harry
helen nell ellie
henry hank harry
herbert herb bert
ignacio nacho
isabel isa chabela bella
isabella bella izzy
jacob jake
jacqueline jackie
jacques jacky
jaime jimmy
james jim jimmy jamie
janet jan
javier javi
jean jeannot
jeffrey jeff
jennifer jen jenny jenn
jeremiah jerry jeremy
jerome jerry
jesus chuy chucho
jessica jess jessie
joaquin quino
john johnny jack jon
jonathan jon johnny nathan
jose pepe joe chepe
josefina pepa fina josie
joseph joe joey jo
josephine jo josie
joshua josh
juan johnny juancho
judith judy judi
julia julie
katherine kathy kate katie kat kathryn kay kitty
kathleen kathy kate katie
kenneth ken kenny
kimberly kim
laurence larry
lawrence larry laurie
leonard leo len lenny
leonardo leo
leticia lety
lillian lily lil
louis lou louie
louise lou
lourdes lulu
lucia lucy
luis lucho lou louie
manuel manny manolo manu
marcus marc mark
margaret maggie meg peggy marge margie greta rita
margarita rita mago
maria mari mary
maria-elena malena
maria-teresa maite mayte
mario mayito
matthew matt matty
maximilian max
megan meg
melissa mel missy lissa
mercedes meche merche
michael mike mikey mick mickey mitch
michelle shelly
miguel mike migue
mildred millie
mitchell mitch
montserrat montse
nancy nan
natalia nati nat
nathaniel nate nat nathan
nicholas nick nicky
nicolas nico nick
nicole nikki nicky
oliver ollie
olivia liv livvy
pamela pam
patricia pat patty trish tricia
patrick pat paddy rick
paul paulie
pedro perico pete
penelope penny
peter pete
philip phil
phillip phil
pierre pierrot
rafael rafa ralph
ramon moncho
randall randy
raymond ray
rebecca becca becky
reynaldo rey
ricardo rick ricky richie
richard rick ricky dick rich richie
robert rob bob bobby robbie bert
roberto beto bobby
rodolfo rudy fito
rodrigo rodri
ronald ron ronnie
rosario charo chayo
rosa rosie rosita
russell russ
salvador chava
samantha sam sammy
samuel sam sammy
sandra sandy
santiago santi chago
sebastian seb bastian
sergio checo
socorro coco
sofia sofi
stanley stan
stephanie steph stephie
stephen steve stevie
steven steve stevie
susan sue susie suzy
susana susi
suzanne sue suzy
teodoro teo
teresa tere
theodore ted teddy theo
theresa terry tess tessa
thomas tom tommy
timothy tim timmy
valentina vale
vanessa nessa
veronica ronnie vero
victor vic
victoria vicky tori vic
vincent vince vinny
virginia ginny ginger
walter walt wally
wendell dell
wilfred will fred
william will bill billy willie liam
yolanda yoli
zachary zach zack
`;

const groups = new Map<string, Set<string>>();
for (const line of lines.trim().split('\n')) {
  const names = line.split(' ');
  for (const name of names) {
    const group = groups.get(name) ?? new Set<string>();
    groups.set(name, group);
    // A short form means the full name; two short forms of one full name may be one person too.
    for (const other of names) group.add(other);
  }
}

/** Whether two folded given names are everyday forms of one name. A name is not a nickname of itself. */
export const nicknames = (a: string, b: string): boolean => a !== b && (groups.get(a)?.has(b) ?? false);

/** Whether a word is known as a given name; many are not listed here. */
export const isGivenName = (folded: string): boolean => groups.has(folded);
