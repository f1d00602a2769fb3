package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.plugin.Amounts.Amount;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The bounds of one entry of a limit range: {@code minConstraint}, {@code maxConstraint} and
 * {@code limitRequestRatioConstraint} in {@code plugin/pkg/admission/limitranger/admission.go}, v1.33. Pure.
 */
final class LimitRangeRules {
    private LimitRangeRules() {}

    private interface Rule {
        Optional<String> check(String name, String bound, BigDecimal value);
    }

    /** What is wrong with the requests and limits of a container or a pod. */
    static List<String> check(JsonNode limit, Amounts requests, Amounts limits) {
        String type = " per " + Json.string(limit, "type") + " is ";
        List<String> problems = new ArrayList<>();
        each(
                limit.path("min"),
                problems,
                (name, bound, value) -> least(
                        "minimum " + name + " usage" + type + bound, value, requests.get(name), limits.get(name)));
        each(
                limit.path("max"),
                problems,
                (name, bound, value) ->
                        most("maximum " + name + " usage" + type + bound, value, requests.get(name), limits.get(name)));
        each(
                limit.path("maxLimitRequestRatio"),
                problems,
                (name, bound, value) -> ratio(
                        name + " max limit to request ratio" + type + bound,
                        value,
                        requests.get(name),
                        limits.get(name)));
        return problems;
    }

    /** What is wrong with the requests of a claim. */
    static List<String> checkClaim(JsonNode limit, Amounts requests) {
        String type = " per " + Json.string(limit, "type") + " is ";
        List<String> problems = new ArrayList<>();
        each(
                limit.path("min"),
                problems,
                (name, bound, value) -> least(
                        "minimum " + name + " usage" + type + bound, value, requests.get(name), Optional.empty()));
        each(
                limit.path("max"),
                problems,
                (name, bound, value) -> requests.get(name)
                        .filter(request -> request.value().compareTo(value) > 0)
                        .map(request -> "maximum " + name + " usage" + type + bound + ", but request is " + request));
        return problems;
    }

    private static void each(JsonNode bounds, List<String> problems, Rule rule) {
        TreeMap<String, String> sorted = new TreeMap<>();
        bounds.properties()
                .forEach(each -> sorted.put(each.getKey(), each.getValue().asString("0")));
        sorted.forEach((name, bound) -> rule.check(name, Quantity.canonical(bound), Quantity.value(bound))
                .ifPresent(problems::add));
    }

    private static Optional<String> least(
            String words, BigDecimal least, Optional<Amount> request, Optional<Amount> limit) {
        if (request.isEmpty()) {
            return Optional.of(words + ".  No request is specified");
        }
        if (request.get().value().compareTo(least) < 0) {
            return Optional.of(words + ", but request is " + request.get());
        }
        return limit.filter(value -> value.value().compareTo(least) < 0)
                .map(value -> words + ", but limit is " + value);
    }

    private static Optional<String> most(
            String words, BigDecimal most, Optional<Amount> request, Optional<Amount> limit) {
        if (limit.isEmpty()) {
            return Optional.of(words + ".  No limit is specified");
        }
        if (limit.get().value().compareTo(most) > 0) {
            return Optional.of(words + ", but limit is " + limit.get());
        }
        return request.filter(value -> value.value().compareTo(most) > 0)
                .map(value -> words + ", but request is " + value);
    }

    private static Optional<String> ratio(
            String words, BigDecimal most, Optional<Amount> request, Optional<Amount> limit) {
        if (request.isEmpty() || request.get().value().signum() == 0) {
            return Optional.of(words + ", but no request is specified or request is 0");
        }
        if (limit.isEmpty() || limit.get().value().signum() == 0) {
            return Optional.of(words + ", but no limit is specified or limit is 0");
        }
        BigDecimal ratio = limit.get().value().divide(request.get().value(), MathContext.DECIMAL64);
        return ratio.compareTo(most) > 0
                ? Optional.of(words + String.format(Locale.ROOT, ", but provided ratio is %f", ratio))
                : Optional.empty();
    }
}
