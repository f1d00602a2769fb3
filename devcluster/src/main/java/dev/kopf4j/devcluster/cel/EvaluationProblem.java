package dev.kopf4j.devcluster.cel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a failed evaluation, as the library of the real server (cel-go, v0.23) chooses them. Pure. */
final class EvaluationProblem {
    private static final Pattern PLACE = Pattern.compile("^evaluation error(?: at <input>:\\d+)?: ");
    private static final Pattern MISSING_KEY = Pattern.compile("^key '(.*)' is not present in map\\.$", Pattern.DOTALL);
    private static final Pattern OUTSIDE = Pattern.compile("^Index out of bounds: (-?\\d+)$");

    private EvaluationProblem() {}

    /** The words for an exception. */
    static String of(Exception e) {
        String problem = PLACE.matcher(String.valueOf(e.getMessage())).replaceFirst("");
        Matcher missing = MISSING_KEY.matcher(problem);
        if (missing.matches()) {
            return "no such key: " + missing.group(1);
        }
        Matcher outside = OUTSIDE.matcher(problem);
        if (outside.matches()) {
            return "index out of bounds: " + outside.group(1);
        }
        return problem.equals("/ by zero") ? "division by zero" : problem;
    }
}
