/** A county's seat, where the demo department has its county clinic. */
export interface CountySeat {
  /** Five-digit FIPS code of the county. */
  fips: string;
  county: string;
  city: string;
  postalCode: string;
  areaCode: string;
}

const seat = (line: string): CountySeat => {
  const [fips, county, city, postalCode, areaCode] = line.split('|') as [
    string,
    string,
    string,
    string,
    string,
  ];
  return { fips, county, city, postalCode, areaCode };
};

/** The 67 counties of Florida with their seats. Source: FIPS 6-4 county codes; USPS ZIP codes of the seats. */
export const countySeats: readonly CountySeat[] = `
12001|Alachua|Gainesville|32601|352
12003|Baker|Macclenny|32063|904
12005|Bay|Panama City|32401|850
12007|Bradford|Starke|32091|904
12009|Brevard|Titusville|32780|321
12011|Broward|Fort Lauderdale|33301|954
12013|Calhoun|Blountstown|32424|850
12015|Charlotte|Punta Gorda|33950|941
12017|Citrus|Inverness|34450|352
12019|Clay|Green Cove Springs|32043|904
12021|Collier|Naples|34112|239
12023|Columbia|Lake City|32055|386
12027|DeSoto|Arcadia|34266|863
12029|Dixie|Cross City|32628|352
12031|Duval|Jacksonville|32202|904
12033|Escambia|Pensacola|32502|850
12035|Flagler|Bunnell|32110|386
12037|Franklin|Apalachicola|32320|850
12039|Gadsden|Quincy|32351|850
12041|Gilchrist|Trenton|32693|352
12043|Glades|Moore Haven|33471|863
12045|Gulf|Port St. Joe|32456|850
12047|Hamilton|Jasper|32052|386
12049|Hardee|Wauchula|33873|863
12051|Hendry|LaBelle|33935|863
12053|Hernando|Brooksville|34601|352
12055|Highlands|Sebring|33870|863
12057|Hillsborough|Tampa|33602|813
12059|Holmes|Bonifay|32425|850
12061|Indian River|Vero Beach|32960|772
12063|Jackson|Marianna|32446|850
12065|Jefferson|Monticello|32344|850
12067|Lafayette|Mayo|32066|386
12069|Lake|Tavares|32778|352
12071|Lee|Fort Myers|33901|239
12073|Leon|Tallahassee|32301|850
12075|Levy|Bronson|32621|352
12077|Liberty|Bristol|32321|850
12079|Madison|Madison|32340|850
12081|Manatee|Bradenton|34205|941
12083|Marion|Ocala|34471|352
12085|Martin|Stuart|34994|772
12086|Miami-Dade|Miami|33128|305
12087|Monroe|Key West|33040|305
12089|Nassau|Fernandina Beach|32034|904
12091|Okaloosa|Crestview|32536|850
12093|Okeechobee|Okeechobee|34972|863
12095|Orange|Orlando|32801|407
12097|Osceola|Kissimmee|34741|407
12099|Palm Beach|West Palm Beach|33401|561
12101|Pasco|Dade City|33525|352
12103|Pinellas|Clearwater|33756|727
12105|Polk|Bartow|33830|863
12107|Putnam|Palatka|32177|386
12109|St. Johns|St. Augustine|32084|904
12111|St. Lucie|Fort Pierce|34950|772
12113|Santa Rosa|Milton|32570|850
12115|Sarasota|Sarasota|34236|941
12117|Seminole|Sanford|32771|407
12119|Sumter|Bushnell|33513|352
12121|Suwannee|Live Oak|32064|386
12123|Taylor|Perry|32347|850
12125|Union|Lake Butler|32054|386
12127|Volusia|DeLand|32720|386
12129|Wakulla|Crawfordville|32327|850
12131|Walton|DeFuniak Springs|32433|850
12133|Washington|Chipley|32428|850
`
  .trim()
  .split('\n')
  .map(seat);
