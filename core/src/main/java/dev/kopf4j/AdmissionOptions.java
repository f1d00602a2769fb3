package dev.kopf4j;

/**
 * What admission handlers ({@link OnValidate}, {@link OnMutate}) have besides filters, in the style without
 * annotations.
 *
 * <p>Mutable and confined: used while the operator is built. Made by the framework; not to be implemented.
 *
 * @param <O> the options of one kind of handler
 */
public interface AdmissionOptions<O extends AdmissionOptions<O>> extends HandlerOptions<O> {
    /**
     * What the client wants to do to the object; all operations if nothing is said. See {@link OnMutate#operations}.
     */
    O operations(AdmissionOperation... each);

    /** Which subresource; {@code "*"} for any, the object itself included. The object itself alone by default. */
    O subresource(String name);

    /** The webhook stays in the managed configuration when the operator ends. */
    O persistent();

    /** The handler changes something outside the object; it must not do so in a dry run. */
    O sideEffects();

    /** Requests go on if the webhook cannot be reached or fails. */
    O ignoreFailures();

    /**
     * Which objects, by the labels of their namespaces, in Kubernetes' selector syntax.
     *
     * @throws HandlerDeclarationException if a selector is malformed, with the position
     */
    O namespaceSelector(String... selectors);

    /** Conditions in CEL that the API server asks before it calls the webhook; all must hold. */
    O matchConditions(String... expressions);

    /** Whether requests in other versions of the resource count, too; {@link MatchPolicy#EQUIVALENT} by default. */
    O matchPolicy(MatchPolicy policy);

    /** How long the API server waits for an answer, in seconds from 1 to 30; 30 by default. */
    O timeoutSeconds(int seconds);
}
