package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.kopf4j.devcluster.cel.library.KubernetesCelLibrary;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles and runs expressions with the libraries of Kubernetes' environment; {@code pkg/cel/environment/base.go} of
 * apiserver, v1.33. Thread-safe.
 */
final class CelEngine {
    private static final CelOptions OPTIONS =
            CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
    private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                    CelExtensions.strings(),
                    CelExtensions.sets(OPTIONS),
                    CelExtensions.comprehensions(),
                    CelExtensions.optional(),
                    KubernetesCelLibrary.INSTANCE)
            .build();

    private CelEngine() {}

    /**
     * A compiler of expressions.
     *
     * @param types what the names of struct types mean
     * @param result the type that expressions must give
     */
    static CelCompiler compiler(Map<String, CelType> variables, Map<String, CelType> types, CelType result) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setResultType(result)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.sets(OPTIONS),
                        CelExtensions.comprehensions(),
                        CelExtensions.optional(),
                        KubernetesCelLibrary.INSTANCE)
                .setTypeProvider(provider(ImmutableMap.copyOf(types)));
        variables.forEach(builder::addVar);
        return builder.build();
    }

    private static CelTypeProvider provider(ImmutableMap<String, CelType> types) {
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return ImmutableList.copyOf(types.values());
            }

            @Override
            public Optional<CelType> findType(String typeName) {
                return Optional.ofNullable(types.get(typeName));
            }
        };
    }

    /** Parses an expression and checks its types; the exception's message says what is wrong with it. */
    static CelAbstractSyntaxTree checked(CelCompiler compiler, String expression) throws CelValidationException {
        return compiler.compile(expression).getAst();
    }

    /** Compiles an expression; the exception's message says what is wrong with it. */
    static CelRuntime.Program program(CelCompiler compiler, String expression) throws CelValidationException {
        try {
            return RUNTIME.createProgram(checked(compiler, expression));
        } catch (CelEvaluationException e) {
            throw new IllegalArgumentException("compilation failed: " + e.getMessage(), e);
        }
    }
}
