package dev.kopf4j.devcluster.cel.cost;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the expressions of a definition may cost by their estimates: {@code TotalCost} in
 * {@code pkg/apis/apiextensions/validation/cel_validation.go} of apiextensions-apiserver, v1.33. Used for one schema.
 */
public final class CostBudget {
    private static final long EXPRESSION = 10_000_000;
    private static final long DEFINITION = 100_000_000;
    /** What costs less than a percent of the definition's limit is not named. */
    private static final long NAMED = DEFINITION / 100;

    private static final int MOST_NAMED = 4;
    private static final double MANY_TIMES = 100;
    private static final double BARELY = 1.5;

    private record Expense(String path, long cost) {}

    private final List<Expense> expenses = new ArrayList<>();
    private long total;

    /**
     * Counts an expression.
     *
     * @param path the path of the expression
     * @param name what it is called in errors
     * @return the error if it alone costs too much
     */
    public Optional<FieldError> add(String path, String name, long cost) {
        total = Estimate.sum(total, cost);
        if (cost >= NAMED) {
            expenses.add(new Expense(path, cost));
        }
        return cost > EXPRESSION
                ? Optional.of(FieldError.forbidden(path, message(name, cost, EXPRESSION)))
                : Optional.empty();
    }

    /**
     * The errors if all expressions together cost too much.
     *
     * @param path the path of the schema
     */
    public List<FieldError> problems(String path) {
        if (total <= DEFINITION) {
            return List.of();
        }
        List<FieldError> errors = new ArrayList<>();
        expenses.stream()
                .sorted(Comparator.comparingLong(Expense::cost).reversed())
                .limit(MOST_NAMED)
                .forEach(expense -> errors.add(FieldError.forbidden(
                        expense.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema")));
        String all = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        errors.add(FieldError.forbidden(path, message(all, total, DEFINITION)));
        return errors;
    }

    private static String message(String name, long cost, long limit) {
        double factor = (double) cost / limit;
        String times = String.format(Locale.ROOT, factor < BARELY ? "%fx" : "%.1fx", factor);
        return name + " exceeds budget by factor of " + (factor > MANY_TIMES ? "more than 100x" : times)
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and"
                + " strings are declared)";
    }
}
