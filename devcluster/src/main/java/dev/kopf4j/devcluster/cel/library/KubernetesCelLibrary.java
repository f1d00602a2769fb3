package dev.kopf4j.devcluster.cel.library;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;

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
}
