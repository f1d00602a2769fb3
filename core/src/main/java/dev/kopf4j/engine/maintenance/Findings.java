package dev.kopf4j.engine.maintenance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what is wrong: each problem once, with the first places and the number of all. Confined to a task. */
final class Findings {
    private static final int PLACES_MAX = 10;

    private final Map<Symptom, Places> found = new LinkedHashMap<>();

    void add(Symptom symptom) {
        found.computeIfAbsent(symptom, _ -> new Places());
    }

    void add(Symptom symptom, String place) {
        Places places = found.computeIfAbsent(symptom, _ -> new Places());
        places.count++;
        if (places.first.size() < PLACES_MAX) {
            places.first.add(place);
        }
    }

    List<Finding> list() {
        return found.entrySet().stream()
                .map(each -> new Finding(
                        each.getKey().problem(), each.getKey().wayOut(), each.getValue().first, each.getValue().count))
                .toList();
    }

    private static final class Places {
        private final List<String> first = new ArrayList<>();
        private long count;
    }
}
