package dev.kopf4j.testing;

import dev.kopf4j.OnConvert;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.conversion.ConversionReviews.OperatorConversions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Checks that nothing is lost when objects are converted ({@link OnConvert}) to another version and back, for each pair
 * of versions. The objects are made by chance from the schemas of the definition, with its defaults filled in, as the
 * API server does before it asks for a conversion and when it stores what was converted; a failure names the seed,
 * which makes the same objects again. Not thread-safe.
 *
 * <pre>{@code
 * ConversionRoundTrips.of(Files.readString(Path.of("crd.yaml")), operator -> operator.handlers(Example.class))
 *         .value("v1", "spec.size", random -> random.nextInt(1, 99) + "x" + random.nextInt(1, 99))
 *         .check();
 * }</pre>
 */
public final class ConversionRoundTrips {
    private static final int OBJECTS = 100;
    private static final int TOLD_MAX = 20;

    private final List<DefinedVersion> versions;
    private final OperatorConversions conversions;
    private final Map<String, Map<String, Function<Random, ?>>> generators = new HashMap<>();
    private final Map<String, Set<String>> losses = new HashMap<>();
    private int objects = OBJECTS;
    private long seed = new Random().nextLong();

    private ConversionRoundTrips(List<DefinedVersion> versions, OperatorConversions conversions) {
        this.versions = versions;
        this.conversions = conversions;
    }

    /**
     * Round trips of an operator's conversions.
     *
     * @param definitions YAML of the custom resource definitions
     * @param operator adds handlers and settings, as to one that is to run
     * @throws IllegalArgumentException if a definition is missing that there are conversions for
     */
    public static ConversionRoundTrips of(String definitions, UnaryOperator<OperatorBuilder> operator) {
        OperatorConversions conversions =
                OperatorPlan.of(operator.apply(Operator.builder())).conversions();
        List<DefinedVersion> versions = DefinedVersion.read(definitions).stream()
                .filter(each -> conversions.definitions().contains(each.definition()))
                .toList();
        for (String name : conversions.definitions()) {
            if (versions.stream().noneMatch(each -> each.definition().equals(name))) {
                throw new IllegalArgumentException(
                        "there are conversions for " + name + ", but the manifests do not define it");
            }
        }
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("the operator has no conversions; annotate a method with @OnConvert");
        }
        return new ConversionRoundTrips(versions, conversions);
    }

    /** So many objects of each version; 100 by default. */
    public ConversionRoundTrips objects(int number) {
        objects = number;
        return this;
    }

    /** The same objects as in a run that has named this seed; another one in each run by default. */
    public ConversionRoundTrips seed(long number) {
        seed = number;
        return this;
    }

    /**
     * Makes the values of a field, where its schema says too little of them.
     *
     * @param version of the objects that have the field
     * @param field its path, {@code []} for the elements of a list: {@code spec.ports[].name}
     */
    public ConversionRoundTrips value(String version, String field, Function<Random, ?> generator) {
        generators.computeIfAbsent(version, name -> new HashMap<>()).put(field, generator);
        return this;
    }

    /**
     * A field may change on the way, as some other version has no place for it.
     *
     * @param version of the objects that have the field
     * @param field its path, as messages have it; what is below it may change, too
     */
    public ConversionRoundTrips mayChange(String version, String field) {
        losses.computeIfAbsent(version, name -> new LinkedHashSet<>()).add(field);
        return this;
    }

    /**
     * Makes the round trips.
     *
     * @throws AssertionError if something is lost, changed or added, or cannot be converted; with the fields and the
     *     seed
     * @throws IllegalStateException if no objects can be made
     * @throws InterruptedException if the thread is interrupted
     */
    public void check() throws InterruptedException {
        Random random = new Random(seed);
        Map<String, String> problems = new LinkedHashMap<>();
        int trips = 0;
        for (DefinedVersion from : versions) {
            SchemaValues values = new SchemaValues(random, from.name(), generators.getOrDefault(from.name(), Map.of()));
            for (int number = 0; number < objects; number++) {
                Map<String, @Nullable Object> object = from.defaulted(GeneratedObject.make(from, values, number));
                for (DefinedVersion by : versions) {
                    if (by.definition().equals(from.definition()) && !by.equals(from)) {
                        trip(object, from, by, problems);
                        trips++;
                    }
                }
            }
        }
        if (trips == 0) {
            throw new IllegalStateException(
                    "the definitions have one version each, which nobody converts: " + versions);
        }
        if (!problems.isEmpty()) {
            throw new AssertionError("Objects are not the same after a conversion to another version and back (seed "
                    + seed + ", to repeat it: .seed(" + seed + "L)):\n"
                    + String.join(
                            "\n", problems.values().stream().limit(TOLD_MAX).toList()));
        }
    }

    /** There and back; the first difference of each field is kept. */
    private void trip(
            Map<String, @Nullable Object> object, DefinedVersion from, DefinedVersion by, Map<String, String> problems)
            throws InterruptedException {
        String way = from.name() + " -> " + by.name() + " -> " + from.name();
        try {
            Map<String, @Nullable Object> there =
                    by.defaulted(conversions.convert(from.definition(), object, by.apiVersion()));
            Map<String, @Nullable Object> back =
                    from.defaulted(conversions.convert(from.definition(), there, from.apiVersion()));
            ObjectDifferences.between(object, back).stream()
                    .filter(difference -> !isAllowed(from.name(), difference.field()))
                    .forEach(difference ->
                            problems.putIfAbsent(way + difference.field(), way + ": " + difference.text()));
        } catch (IllegalStateException e) {
            problems.putIfAbsent(way, way + ": " + e.getMessage());
        }
    }

    private boolean isAllowed(String version, String field) {
        return losses.getOrDefault(version, Set.of()).stream()
                .anyMatch(each -> field.equals(each) || field.startsWith(each + ".") || field.startsWith(each + "[]"));
    }
}
