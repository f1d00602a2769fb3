package dev.kopf4j.engine.rights;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.peering.PeeringObject;
import dev.kopf4j.engine.peering.PeeringPlaces;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The rights of the framework itself, whatever the handlers are for. Pure.
 *
 * @param registry all handlers
 * @param served where the operator's handlers work
 */
record FrameworkRules(HandlerRegistry registry, OperatorSettings settings, Set<RightScope> served) {
    private static final String PEERING = "peering with other operators (peering.standalone=true: none)";

    /** The streams by which resources and namespaces are found. */
    static List<RequiredRule> scanning(List<Resource> scanned) {
        return scanned.stream()
                .map(resource -> RequiredRule.of(
                        RightScope.CLUSTER,
                        resource,
                        resource.equals(WellKnownResources.NAMESPACES)
                                ? "the namespaces that match"
                                : "resources that come and go (scanning.disabled=true: none)",
                        "list",
                        "watch"))
                .toList();
    }

    /** Objects that are in no namespace have their events in that of the operator. */
    List<RequiredRule> events(boolean someInNoNamespace) {
        List<RequiredRule> rules = new ArrayList<>();
        if (settings.posting().enabled()) {
            String reason = "events about the objects (posting.enabled=false: none)";
            served.forEach(
                    scope -> rules.add(RequiredRule.of(scope, WellKnownResources.EVENTS, reason, "create", "patch")));
            if (someInNoNamespace && !served.contains(RightScope.CLUSTER)) {
                rules.add(RequiredRule.of(RightScope.OWN, WellKnownResources.EVENTS, reason, "create", "patch"));
            }
        }
        return rules;
    }

    List<RequiredRule> leases() {
        OperatorSettings.LeaderElection election = settings.leaderElection();
        if (!election.enabled()) {
            return List.of();
        }
        RightScope scope =
                election.leaseNamespace() == null ? RightScope.OWN : RightScope.of(election.leaseNamespace());
        return List.of(
                RequiredRule.of(scope, WellKnownResources.LEASES, "leader election", "create"),
                RequiredRule.of(scope, WellKnownResources.LEASES, "leader election", "get", "update")
                        .onlyFor(election.leaseName()));
    }

    /** Of the peering objects that the cluster serves; of those that this project ships if it serves none. */
    List<RequiredRule> peerings(PeeringPlaces places, Collection<PeeringObject> objects) {
        List<RequiredRule> rules = new ArrayList<>();
        for (PeeringObject object : objects) {
            RightScope scope = RightScope.of(object.namespace());
            rules.add(RequiredRule.of(scope, object.resource(), PEERING, "list", "watch"));
            RequiredRule patch =
                    RequiredRule.of(scope, object.resource(), PEERING, "patch").onlyFor(object.name());
            rules.add(patch);
            if (object.resource().subresources().contains("status")) {
                rules.add(patch.of("status"));
            }
        }
        if (objects.isEmpty() && !places.groups().isEmpty()) {
            String name = settings.peering().name();
            for (RightScope scope : served) {
                rules.add(unserved(scope, places, List.of("list", "watch"), List.of()));
                rules.add(unserved(scope, places, List.of("patch"), List.of(name)));
            }
        }
        return rules;
    }

    private static RequiredRule unserved(
            RightScope scope, PeeringPlaces places, List<String> verbs, List<String> names) {
        return new RequiredRule(scope, PeeringPlaces.GROUP, places.plural(), verbs, names, PEERING);
    }

    List<RequiredRule> webhooks() {
        List<RequiredRule> rules = new ArrayList<>();
        String managed = settings.admission().managed();
        if (managed != null && !registry.admission().isEmpty()) {
            for (Resource resource : List.of(
                    WellKnownResources.VALIDATING_WEBHOOK_CONFIGURATIONS,
                    WellKnownResources.MUTATING_WEBHOOK_CONFIGURATIONS)) {
                String reason = "the webhook configurations '" + managed + "' (admission.managed unset: none)";
                rules.add(RequiredRule.of(RightScope.CLUSTER, resource, reason, "create"));
                rules.add(RequiredRule.of(RightScope.CLUSTER, resource, reason, "get", "patch")
                        .onlyFor(managed));
            }
        }
        registry.conversions().stream()
                .map(ConversionFunction::definition)
                .distinct()
                .sorted()
                .map(this::conversion)
                .forEach(rules::add);
        return rules;
    }

    private RequiredRule conversion(String definition) {
        String[] verbs =
                settings.admission().managedConversions() ? new String[] {"get", "patch"} : new String[] {"get"};
        return RequiredRule.of(
                        RightScope.CLUSTER,
                        WellKnownResources.CUSTOM_RESOURCE_DEFINITIONS,
                        "conversions of " + definition,
                        verbs)
                .onlyFor(definition);
    }
}
