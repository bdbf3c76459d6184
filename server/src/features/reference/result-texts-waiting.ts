/** Texts that say nothing certain about the result, so that a person has to read them. One per line. */
export const waitingTexts = `
See comment
See note
SEE BELOW
See attached report
See separate report
Refer to previous report
Sent to reference laboratory
Gram-negative rods
Gram negative bacilli
Gram negative diplococci
Many gram-negative rods
Few gram-positive cocci in clusters
Gram-negative intracellular diplococci seen
Coagulase-negative staphylococci
Staphylococcus, coagulase negative
Lactose-negative colonies
Oxidase-negative gram-negative rods
Rh-negative
Rh negative
A Rh positive
O positive
AB negative
O Rh(D) negative
B POS
Not negative
Not nonreactive
Not undetected
Possible Salmonella
Possible Brucella species
Cannot rule out Mycobacterium tuberculosis
Unable to exclude Legionella
Suggestive of past infection
Consistent with Bacillus anthracis
Suspicious for Brucella
Abnormal
Normal
High
Low
A
H
N
NR
ND
N/A
NA
Unknown
Not known
Yes
No
Rare
Few
Many
Moderate
1:8
<1:2
>1:1024
12.5
0.3
<0.10
Trace
Mixed flora
Mixed growth
Growth
Growth in 24 hours
Organism identified
Flora
Positive and negative
Detected / Not detected
Positive for influenza A, negative for influenza B
HIV-1 antibody positive, HIV-2 antibody negative
HIV-1 antibodies detected; HIV-2 antibodies not detected
CORRECTED RESULT: negative, previously reported as positive
Previously positive
Negative control
Positive control acceptable
Reference range: Not detected
Expected: negative
Positive predictive value 80%
If positive, reflex to RNA
Will be repeated if positive
False positive
False negative possible
Biological false positive
The patient was told the result
Immune
Not immune
Susceptible
Resistant
Intermediate
HBeAg-negative chronic hepatitis B
HBeAg-negative
HER2-negative
Not yet detected
Detection limit 20 copies/mL
Limit of detection 0.1
asdf
.
?
Babesia microti identified on smear
Negative for Entamoeba dispar; Entamoeba histolytica detected
Shiga toxin 1 negative, Shiga toxin 2 positive; STEC isolated
Test not performed. Specimen was negative on screening.
Positive  Expected: Negative
Positive, not a false positive: repeated in duplicate
Positive without reservation
Indeterminate, Nil control too high
Pending confirmation
Gram-negative rods seen
Gram-positive cocci present
Gram stain: many gram negative rods present
Many WBC seen
Few epithelial cells seen
Coagulase-negative Staphylococcus isolated
Blood group O positive
Rh(D) positive
Rh: positive
Not ruled out
No other growth
NO OTHER GROWTH
No other growth. Final report
No further growth
No further organisms
No additional growth after 48 hours
No additional organisms isolated
No other organisms isolated
No other pathogens isolated
No other enteric pathogens isolated.
No growth of other organisms
Nothing else isolated
Other pathogens not detected
All other targets not detected
Sin otro crecimiento
No se aislaron otros gérmenes
Sin crecimiento de otros gérmenes
Pas d'autre germe
Pa gen lòt mikwòb
Heavy growth of an organism that nobody knows. No other growth
Positive, further repeat testing negative
Rule out HIV
Falso positivo
Falsos negativos posibles
Faux positif
Posible positivo
Sospecha de Salmonella
No se descarta infección
No negativo
No se excluye un resultado positivo
Previamente positivo
Positivo en el análisis anterior
Si es positivo, confirmar
Nunca detectado
Tampoco reactivo
Sans anticorps réactifs
N'est jamais positif
Li poko pozitif
Pa negatif
Si li pozitif, refè tès la
Não detectado
Nicht positiv
Lacks detectable antibody
Free of detectable virus
Un resultado positivo debe confirmarse
Madre positiva
R/O syphilis
Likely positive
Possibly positive
Questionable positive
Suspected positive
?positive
Mother positive
Mother HBsAg positive
Partner tested positive
Donor positive
Positive in 2019
History of positive RPR
Prior result positive
Previously negative, now positive
Was positive on 01/02/2025
Patient states home test positive
Tested positive elsewhere
Positive when tested at outside facility
Positive if confirmed
Will call if positive
Positive or negative
Positive/Negative
Neg/Pos
Reference: Negative
Ref range negative
Expected value: Not detected
Normal: negative
Control: positive
Positive control: passed
Negative predictive value is high
Comment: positive
Unable to detect due to interference
Not interpretable
Failed
Absence of Plasmodium not confirmed
Never detected before
Non-negative
Un-detected?? call lab
Detected by whom?
HPV-negative
HIV-positive
Not applicable
Not reported
Not evaluated
Immune status not established
Susceptible to ampicillin
Rifampin resistance not detected
No resistance mutations detected
Resistance detected
O neg
AB+
14.2 mg/dL
1.05 S/CO
Titer 1:16
>= 1:2048
Class 3
Genotype 1a
Group B
Type 2
Final
Preliminary
Done
Completed
Collected
Received
Test
Sent out
Message left for provider
Chlamydia detected; gonorrhea not detected
HIV-1: Reactive HIV-2: Nonreactive
Negative IgM, positive IgG
IgG positive / IgM negative
Positive. Corrected from negative.
Amended report: previously reported negative
Error in original report: was reported as positive
Detected at 3 weeks, not detected at 6 weeks
`;

/**
 * Texts of a culture that identifies the organism, with the condition; `?` and the condition for a finding that its
 * text calls preliminary; `-` for an organism without a condition; `negative`; `waits`.
 */
export const cultureTexts = `
haemophilus-influenzae-invasive | Beta-lactamase-negative Haemophilus influenzae detected
waits | Sin Salmonella
waits | Pas de Salmonella
waits | Aucune Salmonella
waits | Pa gen Salmonella
waits | Ningún Campylobacter
negative | Ausencia de Salmonella
negative | No hay crecimiento de Salmonella ni Shigella
salmonellosis | Salmonella enterica. NO OTHER GROWTH
salmonellosis | No other growth. Salmonella enterica
salmonellosis | Salmonella enterica, no other enteric pathogens isolated
gonorrhea | Neisseria gonorrhoeae isolated; no further organisms
salmonellosis | Salmonella enterica. No se aislaron otros gérmenes
waits | NO OTHER GROWTH
waits | No further organisms
waits | Heavy growth of an organism that nobody knows; no other growth
gonorrhea | Heavy growth of Neisseria gonorrhoeae
salmonellosis | Light growth of Salmonella species
campylobacteriosis | Moderate growth Campylobacter jejuni
legionellosis | Growth of Legionella pneumophila
salmonellosis | Salmonella enterica isolated
typhoid-fever | Salmonella enterica serovar Typhi
salmonellosis | Salmonella Enteritidis
shigellosis | Shigella sonnei
campylobacteriosis | Rare Campylobacter jejuni
salmonellosis | Few Salmonella species
meningococcal-disease | Neisseria meningitidis, gram-negative diplococci
salmonellosis | Gram-negative rods; Salmonella enterica
salmonellosis | Gram negative bacilli identified as Salmonella enterica
shigellosis | Gram negative rods, identified as Shigella flexneri
gonorrhea | Beta-lactamase negative Neisseria gonorrhoeae
haemophilus-influenzae-invasive | Haemophilus influenzae, beta-lactamase-negative, ampicillin-resistant
haemophilus-influenzae-invasive | Haemophilus influenzae type b, beta lactamase negative
- | Escherichia coli O157:H7
- | E. coli O157, sorbitol-negative
listeriosis | Listeria monocytogenes isolated from blood
salmonellosis | Salmonella species isolated; no Shigella or Campylobacter isolated
campylobacteriosis | No Salmonella or Shigella isolated. Campylobacter jejuni isolated.
salmonellosis | Positive for Salmonella; negative for Shigella and Campylobacter
tuberculosis | Mycobacterium tuberculosis complex isolated
tuberculosis | Mycobacterium tuberculosis, susceptible to all first-line drugs
tuberculosis | Mycobacterium tuberculosis complex, not resistant to isoniazid
candida-auris-clinical | Candida auris
candida-auris-clinical | Candida auris, not susceptible to fluconazole
brucellosis | Brucella melitensis
? salmonellosis | Presumptive Salmonella species
? gonorrhea | Presumptive Neisseria gonorrhoeae isolated
? salmonellosis | Probable Salmonella species
? brucellosis | Presumptive Brucella species
shigellosis | No Salmonella isolated; Shigella flexneri isolated
salmonellosis | Salmonella serogroup D. Susceptibility to follow from the state laboratory may take two weeks.
waits | Salmonella serogroup D isolated; Salmonella serogroup B not isolated
waits | Salmonella Typhi and Shigella sonnei isolated
waits | Possible Salmonella species
waits | Suspicious for Brucella species
waits | Not Salmonella
waits | Salmonella?? Not sure
waits | Previous isolate Salmonella Enteritidis
waits | Gram-negative rods
waits | Positive
waits | Detected
waits | Growth
waits | Vibrio vulnificus (gram-negative, oxidase-positive)
waits | Shiga toxin 1 negative, Shiga toxin 2 positive; STEC isolated
negative | No Salmonella, Shigella, or Campylobacter
negative | Negative for Salmonella, Shigella and Campylobacter
negative | No Brucella species isolated after 21 days
negative | Normal skin flora
- | Staphylococcus, coagulase-negative
- | Staphylococcus epidermidis (coagulase-negative)
- | Klebsiella pneumoniae, lactose-positive
? brucellosis | Preliminary identification: Brucella species
? salmonellosis | Salmonella species, confirmation pending
- | Mycobacterium avium complex; Mycobacterium tuberculosis not detected
tuberculosis | Mycobacterium tuberculosis complex; Mycobacterium avium not isolated
legionellosis | Legionella pneumophila serogroup 1
malaria | Plasmodium falciparum ring forms seen
malaria | P. vivax trophozoites seen
haemophilus-influenzae-invasive | Haemophilus influenzae, not type b
haemophilus-influenzae-invasive | H. influenzae type f, beta-lactamase positive
waits | Trophozoites
malaria | Plasmodium species not Plasmodium falciparum
malaria | Plasmodium sp. - not P. falciparum
giardiasis | Giardia lamblia trophozoites seen
waits | Rule out Bacillus anthracis
waits | Bacillus anthracis cannot be excluded
`;
