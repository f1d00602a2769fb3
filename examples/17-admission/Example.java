import dev.kopf4j.*;
import dev.kopf4j.webhook.WebhookServer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Has a say before objects are stored: refuses some, warns of others, fills in what is missing. */
class Example {
    @OnStartup
    void configure(OperatorSettings settings) {
        if (settings.admission().server() == null) { // in a cluster, `kopf4j manifests` says where it is reached
            settings.admission().server(WebhookServer.auto());
        }
        settings.admission().managed("auto.kopf.dev");
    }

    @OnValidate("kopfexamples")
    void whoAsks(RequestHeaders headers, Optional<X509Certificate> certificate, Warnings warnings) {
        warnings.add("Accessing as the user agent " + headers.get("User-Agent").orElse("(unidentified)"));
        warnings.add(certificate
                .map(each -> "The API server is " + each.getSubjectX500Principal())
                .orElse("The API server has shown no certificate."));
    }

    @OnValidate("kopfexamples")
    void refuseUnlessDryRun(Spec spec, boolean dryRun) {
        if (!dryRun && spec.getString("field", "").equals("wrong")) {
            throw new AdmissionException("Change the field: this one is wrong."); // with the code 500
        }
    }

    @OnValidate(value = "kopfexamples", field = "spec.field", fieldValue = "not-allowed") // the API server looks at it
    void refuse() {
        throw new AdmissionException("This value is not allowed.", 403);
    }

    @OnValidate(value = "kopfexamples", subresource = "*") // the object itself, too
    void compareSpecAndStatus(Spec spec, Status status, @Nullable String subresource, Warnings warnings) {
        if (status.has("field") && !status.get("field").equals(spec.get("field"))) {
            if ("status".equals(subresource)) {
                throw new AdmissionException("status.field must be equal to spec.field.", 422);
            }
            warnings.add("Also update status.field, to match spec.field.");
        }
    }

    /** Objects from before the check can still be labelled, and lose their finalizers. */
    @OnValidate(
            value = "kopfexamples",
            operations = {AdmissionOperation.CREATE, AdmissionOperation.UPDATE},
            matchConditions = "request.operation == 'CREATE' || has(object.spec) != has(oldObject.spec)"
                    + " || has(object.spec) && object.spec != oldObject.spec")
    void checkNumbers(@Field("spec.numbers") List<Object> numbers, Warnings warnings) {
        for (Object number : numbers == null ? List.of() : numbers) {
            if (number instanceof String text && !text.matches("-?\\d+")) {
                throw new AdmissionException("Cannot convert '" + text + "' to a number.", 422);
            } else if (number instanceof String text) {
                warnings.add("'" + text + "' is not a number, but can be converted.");
            }
        }
    }

    @OnValidate(value = "kopfexamples", operations = AdmissionOperation.UPDATE)
    void keepTheOwner(UserInfo user, Body oldValue, Body newValue, AuditAnnotations audit) {
        if (oldValue.has("spec.owner") && !oldValue.get("spec.owner").equals(newValue.get("spec.owner"))) {
            audit.put("tried-by", user.username());
            throw new AdmissionException("The owner stays " + oldValue.getString("spec.owner", "") + ".", 403);
        }
    }

    @OnValidate(value = "kopfexamples", operations = AdmissionOperation.DELETE, labels = "protected=yes")
    void keepIt(String name) {
        throw new AdmissionException(name + " is protected: remove the label first.", 403);
    }

    @OnMutate(value = "kopfexamples", operations = {AdmissionOperation.CREATE, AdmissionOperation.UPDATE})
    void fillIn(Spec spec, Patch patch, boolean dryRun, Logger logger) {
        if (!spec.has("numbers")) {
            patch.spec().set("numbers", List.of(1, 2, 3));
        }
        logger.info("asked{}", dryRun ? ", but nothing will be stored" : "");
    }

    @OnMutate(value = "kopfexamples", labels = "somelabel=somevalue", operations = AdmissionOperation.CREATE)
    void inject(Patch patch) {
        patch.spec().set("injected", 123);
    }

    @OnCreate("kopfexamples")
    void created(@Field("spec.numbers") List<Object> numbers, Logger logger) {
        logger.info("created with {}", numbers);
    }
}
