package dev.kopf4j.engine.conversion;

import dev.kopf4j.HandlerDeclarationException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What makes no sense in the declarations of conversions, whatever the cluster serves. Pure. */
public final class ConversionRules {
    /** As the API server checks the versions of definitions. */
    private static final Pattern VERSION = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");

    private ConversionRules() {}

    /**
     * Refuses what makes no sense.
     *
     * @throws HandlerDeclarationException with the first mistake, and the right form
     */
    public static void check(List<ConversionFunction> functions) {
        List<ConversionFunction> before = new ArrayList<>();
        for (ConversionFunction function : functions) {
            checkAlone(function);
            before.forEach(other -> checkTogether(other, function));
            before.add(function);
        }
    }

    private static void checkAlone(ConversionFunction function) {
        if (!function.definition().matches("[^.]+\\..+")) {
            throw mistake(
                    function,
                    "the definition is '" + function.definition()
                            + "'; give its whole name, plural and group, as in \"widgets.example.com\"");
        }
        for (String version : List.of(function.from(), function.to())) {
            if (!VERSION.matcher(version).matches()) {
                throw mistake(
                        function, "'" + version + "' is no version; give its name alone, as in \"v1\" or \"v2beta1\"");
            }
        }
        if (function.from().equals(function.to())) {
            throw mistake(function, "both versions are the same, which nobody ever asks for");
        }
    }

    private static void checkTogether(ConversionFunction one, ConversionFunction other) {
        if (!one.definition().equals(other.definition())
                || !one.from().equals(other.from())
                || !one.to().equals(other.to())) {
            return;
        }
        if (one.part() == other.part()) {
            throw mistake(other, "there is another one for the same: " + one.source() + "; leave one of them out");
        }
        if (one.part() == ConversionFunction.Part.BODY || other.part() == ConversionFunction.Part.BODY) {
            throw mistake(
                    other,
                    "a function of the body converts all of the object, but there is another one for the "
                            + (other.part() == ConversionFunction.Part.BODY ? one.part() : other.part()).key() + ": "
                            + one.source() + "; convert either the body, or spec and status");
        }
    }

    private static HandlerDeclarationException mistake(ConversionFunction function, String problem) {
        return new HandlerDeclarationException("@OnConvert on " + function + ": " + problem);
    }
}
