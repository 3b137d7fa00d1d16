# A formula for a Homebrew tap. Fill in the address at which the release is published.
class Adjutant < Formula
  desc "Referee's assistant for miniatures games played with real figures"
  homepage "@HOMEPAGE@"
  url "@DOWNLOADS@/adjutant-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    system bin/"adjutant", "man", man1
    generate_completions_from_executable(bin/"adjutant", "completions")
  end

  test do
    assert_match "[", shell_output("#{bin}/adjutant roll 2d6 --seed candle")
  end
end
