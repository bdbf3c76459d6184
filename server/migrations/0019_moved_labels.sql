-- The words of testing analytics moved when dashboards became declarations, and what tenants had written in their place
-- stayed under the old keys. It goes to the new ones, unless somebody has written there since. Words that are no more, or
-- that all dashboards share now and said "tests", stay where they are and are not used.
insert into label_override (tenant_id, language, key, words)
select tenant_id, language, key, words from (
  select o.tenant_id, o.language, o.words,
    case
      when o.key like '%:filters.%' then 'analytics:filter.'
        || case substring(o.key from 'filters\.([A-Za-z]+)')
          when 'programTypeFilter' then 'programTypeId'
          when 'programFilter' then 'programId'
          when 'taskFilter' then 'taskId'
          when 'facilityFilter' then 'facilityId'
          when 'countyFilter' then 'countyFips'
          when 'diseaseFamilyFilter' then 'diseaseFamily'
          when 'sexFilter' then 'sex'
          when 'genderFilter' then 'gender'
          when 'raceFilter' then 'race'
          when 'ethnicityFilter' then 'ethnicity'
          when 'resultCategoryFilter' then 'resultCategory'
        end
        || coalesce(substring(o.key from '_[A-Z]+$'), '')
      when o.key ~ ':(measure\.(positivity|undated)|eventDate|presets|records|screen|mark)\.'
        then replace(o.key, 'testing-analytics:', 'analytics:')
      when o.key like '%:positivityTrend.%'
        then replace(o.key, 'testing-analytics:', 'dashboards/testing:series.')
      else replace(o.key, 'testing-analytics:', 'dashboards/testing:')
    end as key
  from label_override o
  where o.key ~ '^testing-analytics:(filters|measure|series|eventDate|presets|screen|mark)\.|^testing-analytics:(positivityTrend\.title|records\.back)$'
    and o.key !~ ':series\.[A-Za-z]+\.by|\.source$|:mark\.(full|plain|noData)$'
    and o.key !~ ':screen\.(n|bar|hours|p90|ageAndSex|withheld.*|none(Title|Filtered|Dated)?|notDrawn.*|toldElsewhere|withoutRestricted)$'
) moved
where key is not null
on conflict do nothing;

delete from label_override
where key ~ '^testing-analytics:(filters|measure|series|eventDate|presets|screen|mark)\.|^testing-analytics:(positivityTrend\.title|records\.back)$'
  and key !~ ':series\.[A-Za-z]+\.by|\.source$|:mark\.(full|plain|noData)$'
  and key !~ ':screen\.(n|bar|hours|p90|ageAndSex|withheld.*|none(Title|Filtered|Dated)?|notDrawn.*|toldElsewhere|withoutRestricted)$';
