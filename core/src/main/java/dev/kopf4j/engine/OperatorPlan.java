package dev.kopf4j.engine;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.Memo;
import dev.kopf4j.MetricsListener;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.StopCondition;
import dev.kopf4j.Tracing;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.OperatorMemos.MemoSource;
import dev.kopf4j.engine.conversion.ConversionReviews.OperatorConversions;
import dev.kopf4j.engine.cycle.StoredState;
import dev.kopf4j.engine.observation.NamespacePattern;
import dev.kopf4j.engine.probe.ListenAddress.ProbeAddresses;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.registration.RegistryBuilder.Registration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an {@link OperatorBuilder} has collected. Immutable but for its settings.
 *
 * @param registrations the handlers in their order
 * @param settings how the operator works
 * @param scope which namespaces
 * @param login where the credentials come from
 * @param course when it stops, and who is told that it works
 * @param memo where memos come from; null for an empty {@link Memo} of each run
 * @param reports to whom it tells how it is doing
 */
public record OperatorPlan(
        List<Registration> registrations,
        OperatorSettings settings,
        Scope scope,
        Login login,
        Course course,
        @Nullable MemoSource<?> memo,
        Reports reports) {
    /** Copies the list. */
    public OperatorPlan {
        registrations = List.copyOf(registrations);
    }

    /**
     * Which namespaces.
     *
     * @param namespaces the patterns; empty for the whole cluster
     * @param clusterwide true if the whole cluster was asked for
     */
    public record Scope(List<NamespacePattern> namespaces, boolean clusterwide) {
        /** Copies the list. */
        public Scope {
            namespaces = List.copyOf(namespaces);
        }

        /** False if nobody has said where: it is the whole cluster then, too. */
        public boolean isChosen() {
            return clusterwide || !namespaces.isEmpty();
        }
    }

    /**
     * Where the credentials come from.
     *
     * @param kubeconfig where they are; null for the usual places
     * @param connection those given in code; null to look for them
     * @param context that of the kubeconfig, from which operators go on that take each other's place; null for the one
     *     that each run finds
     */
    public record Login(
            @Nullable Path kubeconfig,
            @Nullable ConnectionInfo connection,
            @Nullable AtomicReference<@Nullable String> context) {}

    /**
     * When the operator stops, and who is told that it works.
     *
     * @param whenReady called when the operator watches the cluster; null for nothing
     * @param stopWhen tells when to stop; null for nothing but the handle
     * @param stopOnSignals whether SIGTERM, SIGINT and SIGHUP stop it; null for what is usual
     */
    public record Course(
            @Nullable Runnable whenReady,
            @Nullable StopCondition stopWhen,
            @Nullable Boolean stopOnSignals) {}

    /**
     * To whom the operator tells how it is doing.
     *
     * @param probeAddresses where it answers to probes
     * @param metrics who hears what can be measured
     * @param tracing who makes spans; null for nobody
     * @param processTroubles what is wrong with the process, so that only another one helps: probes tell it
     */
    public record Reports(
            ProbeAddresses probeAddresses,
            List<MetricsListener> metrics,
            @Nullable Tracing tracing,
            Supplier<List<String>> processTroubles) {
        /** Copies the list. */
        public Reports {
            metrics = List.copyOf(metrics);
        }
    }

    /** Which namespaces; empty for the whole cluster. */
    public List<NamespacePattern> namespaces() {
        return scope.namespaces();
    }

    /** The same operator with settings that it may change. */
    OperatorPlan with(OperatorSettings other) {
        return new OperatorPlan(registrations, other, scope, login, course, memo, reports);
    }

    /** The same operator, of which one more listener hears. */
    OperatorPlan with(MetricsListener listener) {
        List<MetricsListener> all = new ArrayList<>(reports.metrics());
        all.add(listener);
        Reports more = new Reports(reports.probeAddresses(), all, reports.tracing(), reports.processTroubles());
        return new OperatorPlan(registrations, settings, scope, login, course, memo, more);
    }

    /**
     * What a builder has collected so far.
     *
     * @throws IllegalArgumentException if it was not made by {@code Operator.builder()}
     * @throws IllegalStateException if it names both namespaces and the whole cluster
     */
    public static OperatorPlan of(OperatorBuilder builder) {
        return ours(builder).plan();
    }

    /**
     * Lets the operator's probes tell what is wrong with the process, so that only another one helps.
     *
     * @throws IllegalArgumentException if it was not made by {@code Operator.builder()}
     */
    public static void processTroubles(OperatorBuilder builder, Supplier<List<String>> troubles) {
        ours(builder).processTroubles(troubles);
    }

    private static OperatorPlanBuilder ours(OperatorBuilder builder) {
        if (builder instanceof OperatorPlanBuilder ours) {
            return ours;
        }
        throw new IllegalArgumentException("operators are built by what Operator.builder() gives, not by "
                + builder.getClass().getName());
    }

    /**
     * The conversions of the operator, without the operator.
     *
     * @throws HandlerDeclarationException if a handler was declared in a way that makes no sense
     */
    public OperatorConversions conversions() {
        return new OperatorConversions(
                RegistryBuilder.build(registrations, OperatorMemos.type(memo)).conversions(),
                StoredState.prefixes(settings));
    }
}
