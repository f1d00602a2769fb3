package dev.kopf4j.cli.maintenance;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.maintenance.ObjectExamination.KnownRecords;
import dev.kopf4j.cli.maintenance.ObjectExamination.Symptom;
import dev.kopf4j.cli.maintenance.ObjectLister.FoundObject;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.leaderelection.Leadership;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.orchestration.WatchPlan.Unwatched;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import dev.kopf4j.engine.sharding.ShardGroupReport;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for what is wrong with the objects of an operator, with its rights, with the versions that it is for, and with
 * who converts them. It only reads. The settings must be those of the operator: start-up handlers are not called.
 * Thread-safe.
 */
public final class Doctor {
    private final ClusterSurvey survey;
    private final Platform platform;
    private final Duration patience;

    /**
     * Examines what is there for the operator that the builder would build.
     *
     * @param patience how long a deletion may take
     */
    public Doctor(OperatorBuilder builder, Duration patience) {
        this(OperatorPlan.of(builder), new SystemPlatform(), patience);
    }

    private Doctor(OperatorPlan plan, Platform platform, Duration patience) {
        this(ClusterSurvey.of(plan, platform), platform, patience);
    }

    Doctor(ClusterSurvey survey, Platform platform, Duration patience) {
        this.survey = survey;
        this.platform = platform;
        this.patience = patience;
    }

    /**
     * What is wrong; empty if nothing is.
     *
     * @throws OperatorException if the cluster cannot be asked
     */
    public List<Finding> findings() throws InterruptedException {
        return survey.look(found -> {
            Findings findings = new Findings();
            ObjectLister lister = ObjectLister.of(survey, found);
            versions(found, lister, findings);
            rights(found, findings);
            WrittenWebhooks.of(found.api(), survey.settings())
                    .withoutHandlers(survey.registry().admission())
                    .forEach(findings::add);
            leader(found, findings);
            shards(found, findings);
            objects(found, lister, findings);
            children(found, lister, findings);
            return findings.list();
        });
    }

    private void versions(ClusterSurvey.Found found, ObjectLister lister, Findings findings)
            throws InterruptedException {
        for (Unwatched each : survey.unwatched(found.served())) {
            if (each.selector().isSpecific() && found.served().known().stream().anyMatch(each.selector()::matches)) {
                continue; // it is served, and told below
            }
            String served =
                    each.others().stream().map(Resource::toString).sorted().collect(Collectors.joining(", "));
            findings.add(new Symptom(
                    "the cluster serves no resource '" + each.selector() + "'"
                            + (each.selector().isSpecific() ? "" : " that can be watched")
                            + (served.isEmpty() ? "" : " that can be meant, but " + served),
                    "install its definition, or name a version and group that are served"));
        }
        survey.watchPlan()
                .dropped(found.served())
                .forEach(each -> findings.add(new Symptom(each.problem(), each.wayOut())));
        Set<Resource> resources = new LinkedHashSet<>();
        lister.streams().forEach(stream -> resources.add(stream.resource()));
        CustomDefinitions definitions = new CustomDefinitions(lister.api());
        if (!definitions.mayBeRead()) {
            return;
        }
        for (Resource resource : resources) {
            if (isDeprecated(definitions, resource)) {
                findings.add(new Symptom(
                        "the definition calls the version '" + resource.version() + "' of " + resource.plural() + "."
                                + resource.group() + " deprecated",
                        "let the handlers name a newer version, or none"));
            }
        }
    }

    private static boolean isDeprecated(CustomDefinitions definitions, Resource resource) throws InterruptedException {
        return definitions.of(resource).stream()
                .flatMap(definition -> definition.path("spec").path("versions").valueStream())
                .anyMatch(version -> version.path("name").asString("").equals(resource.version())
                        && version.path("deprecated").asBoolean(false));
    }

    private void rights(ClusterSurvey.Found found, Findings findings) throws InterruptedException {
        new RightsPlan(survey)
                .missing(found)
                .forEach(each -> findings.add(new Symptom(
                        "the account in use has no right to " + each,
                        "grant it (`kopf4j manifests` prints the roles; in a namespace that is being deleted, only a"
                                + " ClusterRole can); or ask as the operator's account, by the kubeconfig"
                                + " or by impersonation")));
    }

    private void leader(ClusterSurvey.Found found, Findings findings) throws InterruptedException {
        Leadership.Report lease =
                Leadership.Report.read(found.api(), survey.settings().leaderElection());
        String trouble = lease == null ? null : lease.trouble(platform.now());
        if (trouble != null) {
            findings.add(new Symptom(
                    trouble,
                    "start a replica with `--leader-elect`, or start the one anew that is silent; or name their lease:"
                            + " `--set leaderElection.leaseNamespace=...`, `--set operator.name=...`"));
        }
        String difference = lease == null ? null : lease.difference(survey.purpose(found.served()), platform.now());
        if (lease != null && difference != null) {
            findings.add(new Symptom(
                    "another operator has the lease " + lease.place() + ", so that this one does not act: "
                            + difference,
                    "give each operator a name of its own: `--set operator.name=...`; or ask with the settings that the"
                            + " operator has"));
        }
    }

    private void shards(ClusterSurvey.Found found, Findings findings) throws InterruptedException {
        ShardGroupReport group = ShardGroupReport.read(found.api(), survey.settings());
        if (group != null) {
            group.troubles(platform.now()).forEach(each -> findings.add(new Symptom(each.problem(), each.wayOut())));
        }
    }

    private void objects(ClusterSurvey.Found found, ObjectLister lister, Findings findings)
            throws InterruptedException {
        ObjectExamination examination = examination();
        IdentityHashMap<PlannedStream, FoundObject> first = new IdentityHashMap<>();
        Map<Resource, Set<String>> versions = servedVersions(lister);
        Set<String> holding = new LinkedHashSet<>();
        lister.each(
                stream -> may("list", lister, stream),
                object -> {
                    first.putIfAbsent(object.stream(), object);
                    if (object.namespace() != null && examination.isHeldTooLong(object.body())) {
                        holding.add(object.namespace());
                    }
                    List<Symptom> symptoms = new ArrayList<>(examination.of(object.body()));
                    Set<String> served = versions.getOrDefault(object.resource(), Set.of());
                    if (!served.isEmpty()) {
                        ObjectExamination.ofManagedFields(
                                        object.body(), object.resource().group(), served)
                                .ifPresent(symptoms::add);
                    }
                    symptoms.forEach(symptom -> findings.add(symptom, object.toString()));
                },
                findings::addUnconverted);
        namespaces(found.api(), holding, findings);
        Set<Resource> asked = new HashSet<>();
        for (PlannedStream stream : lister.streams()) {
            FoundObject object = first.get(stream);
            if (object != null && !asked.contains(stream.resource()) && may("get", lister, stream)) {
                asked.add(stream.resource());
                conversion(found, object, findings);
            }
        }
    }

    /**
     * Children of the operator's own mark that no object owns, as after a restore from a backup, which leaves owners
     * out. Nothing on them tells for sure whose they were.
     */
    private void children(ClusterSurvey.Found found, ObjectLister lister, Findings findings)
            throws InterruptedException {
        String manager = survey.settings().children().fieldManager();
        Narrowing own = new Narrowing(ChildMarks.MANAGED_BY + "=" + manager, true);
        for (PlannedStream stream : survey.watchPlan().streams(found.served(), found.namespaces())) {
            boolean made = stream.ofChildren().stream().anyMatch(handler -> handler.kind() == HandlerKind.RECONCILE);
            if (made && !findings.isUnconverted(stream.resource()) && may("list", lister, stream)) {
                try {
                    var _ = lister.api()
                            .list(
                                    stream.resource(),
                                    stream.namespace(),
                                    own,
                                    survey.settings().watching().pageSize(),
                                    body -> ObjectExamination.ofChild(body)
                                            .ifPresent(symptom ->
                                                    findings.add(symptom, new FoundObject(stream, body).toString())));
                } catch (ClientException e) {
                    if (!ObjectLister.isOfConversion(e)) {
                        throw e;
                    }
                    findings.addUnconverted(stream.resource(), e);
                }
            }
        }
    }

    /** Who deletes a namespace deletes its Roles, too, though objects in it still wait for the operator. */
    private static void namespaces(KubernetesApi api, Set<String> holding, Findings findings)
            throws InterruptedException {
        for (String namespace : holding) {
            RequiredRule get = RequiredRule.of(RightScope.of(namespace), WellKnownResources.NAMESPACES, "", "get");
            if (new RightsReview(api).missing(List.of(get)).isEmpty() && isBeingDeleted(api, namespace)) {
                findings.add(
                        new Symptom(
                                "the namespace is being deleted, and objects in it wait for this operator: Roles in it are"
                                        + " gone by now, and none can be made there",
                                "if the operator had its rights by such a Role (`kopf4j manifests -n`), grant them by a"
                                        + " ClusterRole until the namespace is gone: `kubectl create clusterrole finish"
                                        + " --verb=list,watch,patch --resource=KINDS` (and KIND/status), `kubectl create"
                                        + " clusterrolebinding finish --clusterrole=finish"
                                        + " --serviceaccount=NAMESPACE:NAME` of the operator; it goes on by itself."
                                        + " Without its handlers: `kopf4j uninstall --orphan`"),
                        namespace);
            }
        }
    }

    private static boolean isBeingDeleted(KubernetesApi api, String namespace) throws InterruptedException {
        try {
            return api.get(WellKnownResources.NAMESPACES, null, namespace)
                    .path("metadata")
                    .has("deletionTimestamp");
        } catch (NotFoundException e) {
            return false; // it has gone meanwhile
        }
    }

    /** Those of custom resources, as far as definitions may be read. */
    private static Map<Resource, Set<String>> servedVersions(ObjectLister lister) throws InterruptedException {
        CustomDefinitions definitions = new CustomDefinitions(lister.api());
        Map<Resource, Set<String>> versions = new LinkedHashMap<>();
        if (definitions.mayBeRead()) {
            for (PlannedStream stream : lister.streams()) {
                if (!versions.containsKey(stream.resource())) {
                    versions.put(stream.resource(), definitions.servedVersions(stream.resource()));
                }
            }
        }
        return versions;
    }

    /** Lists may come from a cache of the API server: it asks who converts only for the object itself. */
    private static void conversion(ClusterSurvey.Found found, FoundObject object, Findings findings)
            throws InterruptedException {
        CustomDefinitions definitions = new CustomDefinitions(found.api());
        if (!definitions.mayBeRead()) {
            return;
        }
        String stored = definitions.storedVersion(object.resource()).orElse("");
        Optional<Resource> other = stored.isEmpty()
                ? Optional.empty()
                : ObjectLister.versions(object.resource(), found.served().known())
                        .filter(each -> !each.version().equals(stored))
                        .findFirst();
        if (other.isEmpty()) {
            return;
        }
        KubernetesApi once = found.api().with(found.api().settings().withErrorBackoffs());
        try {
            var _ = once.get(other.get(), object.namespace(), object.name());
        } catch (NotFoundException e) {
            // It has gone meanwhile.
        } catch (ClientException e) {
            findings.add(
                    ObjectLister.isOfConversion(e)
                            ? unconverted(object.resource(), e)
                            : new Symptom(
                                    object + " cannot be read in the version '"
                                            + other.get().version() + "': " + e.getMessage(),
                                    "repeat this; if it stays so, look into the log of the API server"));
        }
    }

    private static Symptom unconverted(Resource resource, ClientException failure) {
        String definition = resource.plural() + "." + resource.group();
        String problem = "the API server cannot convert objects of " + definition + ": " + failure.getMessage();
        if (!String.valueOf(failure.getMessage()).contains("Post \"")) {
            return new Symptom(
                    problem,
                    "the webhook has answered: mend its function, or the object that it names, in the version that objects"
                            + " are stored in, for which nobody is asked: kubectl edit " + resource.plural()
                            + ".VERSION."
                            + resource.group() + " NAME, VERSION being the one of the definition with storage: true");
        }
        return new Symptom(
                problem,
                "start the operator, or what else the definition names in spec.conversion (`kubectl get crd "
                        + definition
                        + " -o jsonpath={.spec.conversion}`): does the Service have ready pods, and is caBundle theirs? An"
                        + " operator that is to go is taken off by `kopf4j uninstall --orphan`");
    }

    private static boolean may(String verb, ObjectLister lister, PlannedStream stream) throws InterruptedException {
        RequiredRule rule = RequiredRule.of(RightScope.of(stream.namespace()), stream.resource(), "", verb);
        return new RightsReview(lister.api()).missing(List.of(rule)).isEmpty();
    }

    private ObjectExamination examination() {
        OperatorTraces traces = OperatorTraces.of(survey.settings());
        List<String> ids = new ArrayList<>();
        survey.registry().watching().forEach(handler -> {
            ids.add(handler.id());
            ids.add(handler.stepsOwner());
        });
        KnownRecords records = new KnownRecords(traces.locations().prefixes(), ids);
        return new ObjectExamination(traces, Interventions.of(survey.settings()), records, platform.now(), patience);
    }

    /** Collects what is wrong: each problem once, with the first places and the number of all. Confined to a task. */
    private static final class Findings {
        private static final int PLACES_MAX = 10;

        private final Map<Symptom, Places> found = new LinkedHashMap<>();
        /** The resources whose objects cannot be listed, as nobody converts them: once for each is enough. */
        private final Set<Resource> unconverted = new HashSet<>();

        void add(Symptom symptom) {
            found.computeIfAbsent(symptom, _ -> new Places());
        }

        void add(Symptom symptom, String place) {
            Places places = found.computeIfAbsent(symptom, _ -> new Places());
            places.count++;
            if (places.first.size() < PLACES_MAX) {
                places.first.add(place);
            }
        }

        void addUnconverted(Resource resource, ClientException failure) {
            unconverted.add(resource);
            add(unconverted(resource, failure));
        }

        boolean isUnconverted(Resource resource) {
            return unconverted.contains(resource);
        }

        List<Finding> list() {
            return found.entrySet().stream()
                    .map(each -> new Finding(
                            each.getKey().problem(),
                            each.getKey().wayOut(),
                            each.getValue().first,
                            each.getValue().count))
                    .toList();
        }

        private static final class Places {
            private final List<String> first = new ArrayList<>();
            private long count;
        }
    }
}
