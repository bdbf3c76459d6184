import { expect, test } from 'vitest';
import { dashboards } from './all.ts';

/*
 * The names that saved presets, addresses and links contain. A name is never removed or reused: retired names
 * stay in this list. Add new ones.
 */
type Named = Record<'filters' | 'dates' | 'measures' | 'series', string> & { textFilters?: string };
const published: Readonly<Record<string, Named>> = {
  testing: {
    filters:
      'programTypeFilter programFilter taskFilter facilityFilter countyFilter diseaseFamilyFilter sexFilter genderFilter raceFilter ethnicityFilter resultCategoryFilter',
    dates: 'collected received resulted reported created',
    measures:
      'tests people positive negative other positivity collectedToReceivedMedian collectedToReceivedP90 receivedToResultedMedian receivedToResultedP90 collectedToResultedMedian collectedToResultedP90 failedShare missingDemographicsShare undated',
    series:
      'trend positivityTrend diseaseFamily resultCategory assay county programType program facility ageSex race ethnicity',
  },
  sti: {
    filters:
      'programTypeFilter programFilter taskFilter facilityFilter countyFilter diseaseFamilyFilter sexFilter genderFilter raceFilter ethnicityFilter resultCategoryFilter assayFilter',
    dates: 'collected received resulted reported created',
    measures:
      'tests people positive negative other positivity cases rate syphilisCases syphilisInPregnancy congenitalSyphilis congenitalSyphilisRate hivTested treated7 treated14 treated30 presumptive retestEligible retested undated',
    series:
      'trend siteBySex siteByAge site assay curve stage condition timeToTreatment county facility ageSex race ethnicity',
  },
  'case-reports': {
    filters: 'program location taskCategory diseaseFamily sex gender race ethnicity',
    dates: 'created onset collected reported received',
    measures:
      'reports people cases caseRate ageAdjustedRate open openOver30 onsetToReportedMedian onsetToReportedP90 reportedToReceivedMedian reportedToReceivedP90 receivedWithinDay receivedWithinWeek completeness possibleDuplicates undated',
    series:
      'curve condition diseaseFamily openAge investigator status registration delay county program facility ageSex race ethnicity',
    textFilters: 'status registration',
  },
  'tenant-case-reports': {
    filters: 'moduleFilter programFilter taskFilter facilityFilter countyFilter diseaseFamilyFilter',
    dates: 'created onset collected reported received',
    measures:
      'reports people cases caseRate ageAdjustedRate open openOver30 onsetToReportedMedian onsetToReportedP90 reportedToReceivedMedian reportedToReceivedP90 receivedWithinDay receivedWithinWeek completeness possibleDuplicates undated',
    series:
      'curve condition diseaseFamily openAge investigator status registration delay county program facility ageSex race ethnicity',
  },
  'incident-reports': {
    filters: 'programFilter locationFilter visitTypeFilter diseaseFamilyFilter',
    dates: 'received vaccinated occurred created',
    measures:
      'reports people serious seriousShare deaths hospitalized emergencyVisits recovered vaccineReports seriousReports onsetMedian onsetP90 reportDelayMedian reportDelayP90 open openOver30 nearMisses harmful undated',
    series:
      'trend kind outcome vaccine reaction dose classification together onset category event harm stage openAge reporter county facility program ageSex race ethnicity',
  },
  'field-visits': {
    filters:
      'programFilter locationFilter taskCategoryFilter diseaseFamilyFilter sexFilter genderFilter raceFilter ethnicityFilter',
    textFilters: 'statusFilter registrationFilter',
    dates: 'planned done created',
    measures:
      'visits people done cancelled completion open overdue unassigned contactRate cooperation notFound attemptsPerVisit attemptsPerContact firstAttemptMedian firstAttemptP90 contactMedian contactP90 doneMedian doneP90 attemptedWithin3 doneWithin7 doneWithin14 inTime attempts reachedShare undated',
    series:
      'trend status visitType result outcome attemptCount firstAttempt daysToDone timeOfDay method attemptOutcome worker openAge taskCategory registration county facility program diseaseFamily ageSex race ethnicity',
  },
  telemedicine: {
    filters:
      'programFilter locationFilter taskCategoryFilter diseaseFamilyFilter sexFilter genderFilter raceFilter ethnicityFilter',
    textFilters: 'statusFilter registrationFilter',
    dates: 'planned created',
    measures:
      'visits people booked unbooked fulfilled noShow cancelled completion noShowShare cancelledLate leadMedian leadP90 waitMedian waitP90 waitedLong lastedMedian lastedP90 minutesHeld goodConnection interpreted',
    series:
      'trend status visitType taskCategory registration cancelledBy slots lead wait lasted provider language interpreter connection county facility program diseaseFamily ageSex race ethnicity',
  },
  operations: {
    filters: 'programTypeFilter programFilter taskFilter facilityFilter countyFilter diseaseFamilyFilter',
    dates: 'created',
    measures:
      'reports open openOver30 awaitingReview rejected tasks tasksOpen tasksDone tasksOverdue tasksOverdueShare transitions rejections assignMedian assignWorkdays assignedInTime startMedian startWorkdays startedInTime completeMedian completeWorkdays completedInTime approveMedian approveWorkdays approvedInTime shipments shipmentsReady shipmentsInTransit shipmentsAwaited shipmentsLate shipmentsLost results latestResult',
    series:
      'trend status openAge program facility work overdueAge inStatus shipmentState shipmentFacility resultTrend resultFacility',
  },
  'partner-services': {
    filters:
      'diseaseFamilyFilter conditionFilter countyFilter facilityFilter programFilter interviewerFilter sexFilter raceFilter ethnicityFilter',
    textFilters: 'caseBasisFilter',
    dates: 'assigned interviewed closed',
    measures:
      'assigned interviewed interviewed3 interviewed5 interviewed7 interviewed14 reinterviewed closed periodPartners periodPartnerIndex named partners partnersOriginal partnersReinterview contactIndex withPartners clusters clusterIndex withClusters contacts examined notExamined knownBefore open examined3 examined5 examined7 examined14 broughtCases diiPa01 diiPartnersPa04 diiClustersPa04 tiPa01 tiPartnersPa04 tiClustersPa04 sourceFound neededToInterview notificationIndex testingPa01 testingPa04 undated',
    series:
      'trend condition interviewStatus daysToInterview referralBasis namedHow role disposition daysToDisposition interviewer county facility ageSex race ethnicity',
  },
  hiv: {
    filters:
      'programTypeFilter programFilter taskFilter facilityFilter countyFilter diseaseFamilyFilter sexFilter genderFilter raceFilter ethnicityFilter resultCategoryFilter assayFilter',
    dates: 'collected received resulted reported created',
    measures:
      'tests people positivity firstTesters newPositives knownPositives diagnoses rate linked30 linked90 living received retained suppressed undated',
    series: 'trend assay county continuum careByRace careByAge program facility ageSex race ethnicity',
  },
};

test.each(dashboards)(
  '[S3.11] the names of $id are those that saved views and addresses hold',
  (declared) => {
    const held = Object.values(published[declared.id]!).flatMap((names) => names.split(' '));
    for (const [kind, names] of Object.entries(published[declared.id]!)) {
      const now = Object.keys(declared[kind as 'filters']);
      const { retired = [] } = declared;
      expect(now.toSorted()).toEqual(
        names
          .split(' ')
          .filter((name) => !retired.includes(name))
          .toSorted(),
      );
    }
    // A retired name was published once, and stays in the list.
    for (const name of declared.retired ?? []) expect(held).toContain(name);
  },
);

test('no dashboard uses the `own` form; list it here if one does, so that a review notices', () => {
  const own = dashboards.flatMap(({ id, series }) =>
    Object.entries(series).flatMap(([name, { form }]) => (form === 'own' ? [`${id} ${name}`] : [])),
  );
  expect(own).toEqual([]);
});
