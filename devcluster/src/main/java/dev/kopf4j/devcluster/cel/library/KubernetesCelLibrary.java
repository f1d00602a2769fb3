package dev.kopf4j.devcluster.cel.library;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.kopf4j.devcluster.value.GoPatterns;
import java.util.List;

/**
 * The functions that Kubernetes adds to the language, see its documentation on <a
 * href="https://kubernetes.io/docs/reference/using-api/cel/">CEL in Kubernetes</a>. Each topic is a class, as each is a
 * file in {@code pkg/cel/library} of the apiserver library, v1.33. Immutable.
 */
public final class KubernetesCelLibrary implements CelCompilerLibrary, CelRuntimeLibrary {
    public static final KubernetesCelLibrary INSTANCE = new KubernetesCelLibrary();
    private final CelFunctions functions = new CelFunctions();

    private KubernetesCelLibrary() {
        ListFunctions.declare(functions);
        RegexFunctions.declare(functions);
        UrlFunctions.declare(functions);
        QuantityFunctions.declare(functions);
        IpFunctions.declare(functions);
        CidrFunctions.declare(functions);
        FormatFunctions.declare(functions);
        QuoteFunction.declare(functions);
        AuthorizerFunctions.declare(functions);
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder builder) {
        builder.addFunctionDeclarations(functions.declarations());
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder builder) {
        builder.addFunctionBindings(functions.bindings());
    }

    /** Writes a text as a literal of the language: {@code strings.quote}; {@code ext/strings.go} of cel-go, v0.23. */
    private static final class QuoteFunction {
        private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\\"";
        private static final String LETTERS = "abfnrtv\\\"";

        private QuoteFunction() {}

        static void declare(CelFunctions functions) {
            functions.global(
                    "strings.quote", SimpleType.STRING, List.of(SimpleType.STRING), given -> quote((String) given[0]));
        }

        private static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (int position = 0; position < text.length(); position++) {
                char character = text.charAt(position);
                int index = ESCAPED.indexOf(character);
                if (index >= 0) {
                    quoted.append('\\').append(LETTERS.charAt(index));
                } else {
                    quoted.append(character);
                }
            }
            return quoted.append('"').toString();
        }
    }

    /**
     * Searches in strings: {@code find}, {@code findAll}; {@code pkg/cel/library/regex.go} of the apiserver library,
     * v1.33.
     */
    private static final class RegexFunctions {
        private static final CelType TEXT = SimpleType.STRING;

        private RegexFunctions() {}

        static void declare(CelFunctions functions) {
            functions
                    .member(
                            "find",
                            TEXT,
                            List.of(TEXT, TEXT),
                            given -> find(given, 1).stream().findFirst().orElse(""))
                    .member("findAll", ListType.create(TEXT), List.of(TEXT, TEXT), given -> find(given, -1))
                    .member(
                            "findAll",
                            ListType.create(TEXT),
                            List.of(TEXT, TEXT, SimpleType.INT),
                            given -> find(given, (Long) given[2]));
        }

        /** At most this number of matches; all if it is negative. */
        private static List<String> find(Object[] given, long most) {
            return GoPatterns.findAll((String) given[1], (String) given[0], most);
        }
    }
}
